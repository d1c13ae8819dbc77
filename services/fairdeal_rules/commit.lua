-- The packed commit: everything that a batch of commands caused, all or nothing.
--
-- KEYS[1] position of the rules   KEYS[2] doorbell   KEYS[3] deadlines   KEYS[4] dead letters
-- Every other key is of the same slot and is named by the prefix.
-- ARGV[1] one MessagePack value (text as str: cmsgpack cannot read bin):
--   { prefix, from, to, count, attempts,
--     games   = { { game, version before, { c, h, ... }, { command id, receipt, ... }, deadline }, ... },
--     replies = { client, receipt, ... },
--     dead    = { how many fields and values of each dead letter, ... },
--     limits  = { replies kept, replies ttl s, dead kept, stray receipts ttl s } }
--   version before: 0 for a game that does not exist, -1 for one that is not to be looked into.
--   deadline: epoch ms as text, "" for none. A game without commits keeps the deadline that it has, unless
--   it is "-", which removes it.
-- ARGV[2...] the fields and values of the dead letters, as they came (any bytes).
--
-- Returns {"ok"}, or without having changed anything:
--   {"position", entry where it stands}    another worker has moved on from here
--   {"version", game, version in the log}  the log is not what this worker believed
local p = cmsgpack.unpack(ARGV[1])
local prefix, from, to, count, attempts, games, replies, dead, limits =
  p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]

local at = redis.call('HGET', KEYS[1], 'entry') or '0-0'
if at ~= from then
  return {'position', at}
end
-- A key of another type must fail here, before anything is written.
redis.call('XLEN', KEYS[2])
redis.call('ZCARD', KEYS[3])
redis.call('XLEN', KEYS[4])
for i = 1, #games do
  local game = games[i]
  if #game[4] > 0 then
    redis.call('HLEN', prefix .. 'receipts:' .. game[1])
  end
  if #game[3] > 0 then
    local last = redis.call('XREVRANGE', prefix .. 'log:' .. game[1], '+', '-', 'COUNT', 1)[1]
    local version = last and tonumber(string.match(last[1], '^%d+')) or 0
    if version ~= game[2] then
      return {'version', game[1], version}
    end
  end
end

for i = 1, #games do
  local name, version, commits, receipts, deadline = unpack(games[i])
  local log, kept = prefix .. 'log:' .. name, prefix .. 'receipts:' .. name
  local moved = #commits > 0
  for j = 1, #commits, 2 do
    version = version + 1
    redis.call('XADD', log, version .. '-0', 'c', commits[j], 'h', commits[j + 1])
  end
  for j = 1, #receipts, 2 do
    redis.call('HSET', kept, receipts[j], receipts[j + 1])
  end
  if moved then
    redis.call('XADD', KEYS[2], '*', 'g', name, 'v', version)
    if deadline ~= '' and deadline ~= '-' then
      redis.call('ZADD', KEYS[3], deadline, name)
    else
      redis.call('ZREM', KEYS[3], name)
    end
    if version == #commits / 2 then
      redis.call('PERSIST', kept)
    end
  elseif deadline == '-' then
    redis.call('ZREM', KEYS[3], name)
  elseif version == 0 and #receipts > 0 then
    redis.call('EXPIRE', kept, limits[4])
  end
end

local touched = {}
for i = 1, #replies, 2 do
  local key = prefix .. 'replies:' .. replies[i]
  -- Whoever keeps something else under this name loses a reply; the receipt is there to be asked for.
  redis.pcall('XADD', key, 'MAXLEN', '~', limits[1], '*', '__data__', replies[i + 1])
  touched[key] = true
end
for key in pairs(touched) do
  redis.call('EXPIRE', key, limits[2])
end

local first = 2
for i = 1, #dead do
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', limits[3], '*', unpack(ARGV, first, first + dead[i] - 1))
  first = first + dead[i]
end

redis.call('HSET', KEYS[1], 'entry', to, 'attempts', attempts)
redis.call('HINCRBY', KEYS[1], 'count', count)
return {'ok'}
