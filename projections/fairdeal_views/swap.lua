-- Put a view that was folded anew in the place of the stored one, if that is still the one it was compared with.
--
-- KEYS[1] view   KEYS[2] parked games   KEYS[3] updates   KEYS[4] doorbell
-- ARGV[1] one MessagePack value (text as str):
--   { game, version stored, fold stored, version, { field, value, ... }, un-park (true or false), updates kept }
--   Versions are text, "" for a view that is not there. The fields are all of the view but its version; with
--   none the view stays as it is.
--
-- Returns 1, or 0 without having changed anything: the view is another by now.
local game, before, fold, version, fields, unparks, kept = unpack(cmsgpack.unpack(ARGV[1]))

local stored = redis.call('HMGET', KEYS[1], 'version', 'fold')
-- Keys of another type must fail here, before anything is written.
redis.call('HLEN', KEYS[2])
redis.call('XLEN', KEYS[3])
redis.call('XLEN', KEYS[4])
if (stored[1] or '') ~= before or (stored[2] or '') ~= fold then
  return 0
end

if #fields > 0 then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'version', version, unpack(fields))
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', kept, '*', 'g', game, 'v', version)
end
if unparks and redis.call('HDEL', KEYS[2], game) == 1 then
  redis.call('XADD', KEYS[4], '*', 'g', game, 'v', version)
end
return 1
