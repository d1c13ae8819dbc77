-- Store the views of a batch of games and move the position, all or nothing.
--
-- KEYS[1] position of the views   KEYS[2] parked games   KEYS[3] updates
-- The views are of the same slot and are named by the prefix.
-- ARGV[1] one MessagePack value (text as str: cmsgpack cannot read bin):
--   { prefix, from, to, count, parked = { game, incident JSON, ... },
--     games = { { game, version stored, fold stored, version, { field, value, ... } }, ... },
--     updates kept }
--   Versions are text, "" for a view that is not there. The position stays when `to` is `from`.
--
-- Returns {"ok", game, ...}: done; the games listed were stored by another as far or farther, and left so.
-- Or without having changed anything:
--   {"position", entry where it stands}   another worker has moved on from here
--   {"stale", game, ...}                  what is stored of these is not what this worker believes
local prefix, from, to, count, parked, games, kept = unpack(cmsgpack.unpack(ARGV[1]))

local at = redis.call('HGET', KEYS[1], 'entry') or '0-0'
if at ~= from then
  return {'position', at}
end
-- A key of another type must fail here, before anything is written.
redis.call('HLEN', KEYS[2])
redis.call('XLEN', KEYS[3])
local done, stale, write = {'ok'}, {'stale'}, {}
for i = 1, #games do
  local game = games[i]
  local stored = redis.call('HMGET', prefix .. 'view:' .. game[1], 'version', 'fold')
  local version = stored[1] or ''
  if version == game[2] and (stored[2] or '') == game[3] then
    write[#write + 1] = game
  elseif version ~= game[2] and (tonumber(version) or 0) >= tonumber(game[4]) then
    done[#done + 1] = game[1]
  else
    stale[#stale + 1] = game[1]
  end
end
if #stale > 1 then
  return stale
end

for i = 1, #write do
  local name, _, _, version, fields = unpack(write[i])
  redis.call('HSET', prefix .. 'view:' .. name, 'version', version, unpack(fields))
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', kept, '*', 'g', name, 'v', version)
end
for i = 1, #parked, 2 do
  redis.call('HSET', KEYS[2], parked[i], parked[i + 1])
end
if to ~= from then
  redis.call('HSET', KEYS[1], 'entry', to, 'attempts', 0)
  redis.call('HINCRBY', KEYS[1], 'count', count)
end
redis.call('HDEL', KEYS[1], 'trying')
return done
