-- Remove a game that was exported, if it still is what the file holds. The directory keeps its summary.
--
-- KEYS[1] log   KEYS[2] receipts   KEYS[3] view   KEYS[4] directory   KEYS[5] the index of ended games
-- KEYS[6] deadlines   KEYS[7...] parked games of each projection
-- ARGV[1] one MessagePack value (text as str):
--   { game, version, summary JSON as stored, summary JSON from now on, version of the view ("" for none),
--     field of the marker that is left in the receipts }
-- Returns 1, or 0 without having changed anything.
local game, version, before, after, view, marker = unpack(cmsgpack.unpack(ARGV[1]))

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= version .. '-0' then
  return 0
end
if redis.call('HGET', KEYS[4], game) ~= before or (redis.call('HGET', KEYS[3], 'version') or '') ~= view then
  return 0
end
for i = 7, #KEYS do
  if redis.call('HEXISTS', KEYS[i], game) == 1 then
    return 0
  end
end
-- Keys of another type must fail here, before anything is written.
redis.call('HLEN', KEYS[2])
redis.call('ZCARD', KEYS[5])
redis.call('ZCARD', KEYS[6])

redis.call('HSET', KEYS[4], game, after)
redis.call('ZREM', KEYS[5], game)
redis.call('ZREM', KEYS[6], game)
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[2], marker, 'archived')
return 1
