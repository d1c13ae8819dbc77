-- Keep a lease, or take it back if it ran out and nobody else has it.
-- KEYS[1] the lease; ARGV[1] the worker's token, ARGV[2] how long in ms.
-- Returns 1 when the worker holds it now, 0 when another does.
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 1
end
if not holder then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1
end
return 0
