-- Store the summaries of a batch of games with their indexes, and move the position, all or nothing.
--
-- KEYS[1] position of the replays   KEYS[2] parked games   KEYS[3] directory
-- The indexes are of the same slot and are named by the prefix.
-- ARGV[1] one MessagePack value (text as str: cmsgpack cannot read bin):
--   { prefix, from, to, count, parked = { game, incident JSON, ... },
--     games = { { game, version stored, version, summary JSON,
--                 { index, score, ... to be in }, { index, ... to be out of } }, ... } }
--   Version stored is 0 for a game that is not in the directory. The position stays when `to` is `from`.
--
-- Returns {"ok", game, ...}: done; the games listed were stored by another as far or farther, and left so.
-- Or without having changed anything:
--   {"position", entry where it stands}   another worker has moved on from here
--   {"stale", game, ...}                  what is stored of these is not what this worker believes
local prefix, from, to, count, parked, games = unpack(cmsgpack.unpack(ARGV[1]))

local at = redis.call('HGET', KEYS[1], 'entry') or '0-0'
if at ~= from then
  return {'position', at}
end
-- Keys of another type must fail here, before anything is written.
redis.call('HLEN', KEYS[2])
local done, stale, write = {'ok'}, {'stale'}, {}
for i = 1, #games do
  local game = games[i]
  local stored = redis.call('HGET', KEYS[3], game[1])
  local version = stored and cjson.decode(stored).version or 0
  for j = 1, #game[5], 2 do
    redis.call('ZCARD', prefix .. 'directory:' .. game[5][j])
  end
  for j = 1, #game[6] do
    redis.call('ZCARD', prefix .. 'directory:' .. game[6][j])
  end
  if version == game[2] then
    write[#write + 1] = game
  elseif version >= game[3] then
    done[#done + 1] = game[1]
  else
    stale[#stale + 1] = game[1]
  end
end
if #stale > 1 then
  return stale
end

for i = 1, #write do
  local name, _, _, summary, into, out = unpack(write[i])
  redis.call('HSET', KEYS[3], name, summary)
  for j = 1, #into, 2 do
    redis.call('ZADD', prefix .. 'directory:' .. into[j], into[j + 1], name)
  end
  for j = 1, #out do
    redis.call('ZREM', prefix .. 'directory:' .. out[j], name)
  end
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
