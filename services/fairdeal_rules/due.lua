-- The games whose deadline has passed, by this server's own clock.
-- KEYS[1] the deadlines; ARGV[1] how many to pass over, ARGV[2] how many to name.
-- Returns { now in epoch ms, { game, deadline, ... }, the first deadline to come or "" }.
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES', 'LIMIT', ARGV[1], ARGV[2])
local coming = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return {now, due, coming[2] or ''}
