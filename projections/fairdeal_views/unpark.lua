-- Let a role take up a parked game again, and ring for it.
-- KEYS[1] the parked games of the role   KEYS[2] the game's log   KEYS[3] doorbell
-- ARGV[1] game
-- Returns 1, or 0 when the game was not parked.
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
redis.call('XLEN', KEYS[3])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then
  return 0
end
if last then
  redis.call('XADD', KEYS[3], '*', 'g', ARGV[1], 'v', string.match(last[1], '^%d+'))
end
return 1
