-- Give a lease up, unless another worker has it already.
-- KEYS[1] the lease, KEYS[2] the role's position; ARGV[1] the worker's token.
-- A clean stop is no failed attempt, so the count of attempts starts anew.
-- Returns 1 when the lease was given up, 0 when it was not held.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
if redis.call('HEXISTS', KEYS[2], 'attempts') == 1 then
  redis.call('HSET', KEYS[2], 'attempts', 0)
end
return 1
