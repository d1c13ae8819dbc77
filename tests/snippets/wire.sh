# Partition of a game: crc32(id) mod 8. For g1 that is 5, so every key of g1 begins with {fairdeal:5}.
cli() { redis-cli -u "${FAIRDEAL_REDIS_URL:-redis://127.0.0.1:6379}" "$@"; }
wait_for() { for _ in $(seq 100); do [ "$(cli EXISTS "$1")" = 1 ] && return; sleep 0.1; done; echo "no $1"; exit 1; }

# The host opens a table. The stream entry has one field, __data__, and its value is plain JSON.
cli XADD '{fairdeal:5}:commands' '*' __data__ '
  {"id": "open-1", "game": "g1", "reply_to": "shell",
   "action": {"type": "game.create", "ruleset": "perudo",
              "players": [{"id": "ann"}, {"id": "bob"}], "options": {"start_rule": "seat_0"}}}'

# Seat 0 bids three fives, and sends it twice: the same id takes effect once.
for _ in 1 2; do
  cli XADD '{fairdeal:5}:commands' '*' __data__ '
    {"id": "bid-1", "game": "g1", "seat": 0, "reply_to": "shell",
     "action": {"type": "perudo.bid", "quantity": 3, "face": 5}}'
done

# Seat 1 bids too low, and is told why.
cli XADD '{fairdeal:5}:commands' '*' __data__ '
  {"id": "bid-2", "game": "g1", "seat": 1, "reply_to": "shell",
   "action": {"type": "perudo.bid", "quantity": 2, "face": 4}}'

wait_for '{fairdeal:5}:view:g1'
cli XRANGE '{fairdeal:5}:replies:shell' - +           # the receipts: accepted, accepted, accepted, rejected
cli HGET '{fairdeal:5}:receipts:g1' bid-1             # the lasting answer: accepted at this version
cli HGET '{fairdeal:5}:view:g1' table                 # what everybody sees
cli HGET '{fairdeal:5}:view:g1' seat:1                # what seat 1 sees besides: its dice, its offers
cli XRANGE '{fairdeal:5}:log:g1' - + COUNT 1          # the log: every commit and its hash, for audit eyes
