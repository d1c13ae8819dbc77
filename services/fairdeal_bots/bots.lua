-- Send the bots' commands and move their position, all or nothing.
--
-- KEYS[1] position of the bots   KEYS[2] commands
-- ARGV[1] from   ARGV[2] to   ARGV[3] entries done   ARGV[4...] the commands' bodies
-- The position stays when `to` is `from`.
--
-- Returns {"ok"}, or without having changed anything:
--   {"position", entry where it stands}   another worker has moved on from here
local at = redis.call('HGET', KEYS[1], 'entry') or '0-0'
if at ~= ARGV[1] then
  return {'position', at}
end
for i = 4, #ARGV do
  redis.call('XADD', KEYS[2], '*', '__data__', ARGV[i])
end
if ARGV[2] ~= ARGV[1] then
  redis.call('HSET', KEYS[1], 'entry', ARGV[2], 'attempts', 0)
  redis.call('HINCRBY', KEYS[1], 'count', ARGV[3])
end
return {'ok'}
