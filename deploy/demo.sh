#!/bin/sh
# demo.sh - the service shown at work, as `make demo` does: builds what is missing, starts the daemon
# on a free loopback port with directories of its own, submits the "hard 30x30x30" of the register
# builders - shortest algorithms that twist one corner, turn five corners in an oriented cycle and
# flip two edges, order 30 - shows the search live, checks the answer and stops the daemon.
#
# Needs make, curl and what `make deps` installs. Fails loudly: exit status 0 means that every line
# below was as it must be.
set -eu

TARGET='c: (1+, 5+) / e: (1+, 1+)'
LENGTH=11
SEQUENCES=1056
WANTED_KIB=400000 # of table space in memory; with less, the tables go to a file system

cd "$(dirname "$0")/.."
folder=
tables=
daemon=

clean_up() {
    status=$?
    trap - EXIT INT TERM
    if [ -n "$daemon" ] && kill -0 "$daemon" 2>/dev/null; then
        kill "$daemon"
        wait "$daemon" || status=$?
    fi
    [ -z "$folder" ] || rm -rf "$folder"
    [ -z "$tables" ] || rm -rf "$tables"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
    echo "demo: $*" >&2
    if [ -n "$folder" ] && [ -s "$folder/log" ]; then
        echo "demo: the daemon's log:" >&2
        cat "$folder/log" >&2
    fi
    exit 1
}

# ---- build ---------------------------------------------------------------------------------

build() {
    "${MAKE:-make}" --no-print-directory deps
    command -v curl >/dev/null 2>&1 || sh tests/tools/install_deps.sh curl
    "${MAKE:-make}" --no-print-directory -j2 bin/cyclosolved
}

# ---- JSON, as far as it is needed here -----------------------------------------------------

# member NAME < JSON: the first number, true, false, null or text (without escapes) of that name.
member() {
    awk -v name="$1" '
        {
            if (!match($0, "\"" name "\":(\"[^\"]*\"|[-+.0-9eE]+|true|false|null)"))
                next
            value = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
            gsub(/^"|"$/, "", value)
            print value
            exit
        }'
}

# ---- events, as a person wants to read them ------------------------------------------------

# show EVENT < JSON
show() {
    awk -v event="$1" '
        function text(name,    at) {
            if (!match($0, "\"" name "\":\"[^\"]*\""))
                return ""
            at = RSTART + length(name) + 4
            return substr($0, at, RLENGTH - length(name) - 5)
        }
        function number(name) {
            if (!match($0, "\"" name "\":[-+.0-9eE]+"))
                return 0
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
        }
        function short(n) {
            if (n >= 1e9) return sprintf("%.1f G", n / 1e9)
            if (n >= 1e6) return sprintf("%.1f M", n / 1e6)
            if (n >= 1e3) return sprintf("%.1f k", n / 1e3)
            return sprintf("%d ", n)
        }
        function say(line) { printf "  %-9s %s\n", event, line }
        function plan(    rest, line) {
            rest = $0
            while (match(rest, /\{"orbits":[^}]*\}/)) {
                $0 = substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
                line = line (line ? "; " : "") sprintf("%s %s, %sB, %s", text("kind"),
                       text("orbits"), short(number("bytes")), text("state"))
            }
            say("tables: " line)
        }
        event == "snapshot" || event == "state" { say(text("state")) }
        event == "plan" { plan() }
        event == "table" {
            say(sprintf("filling %s (%s): layer %d, %d %%, %sentries, %.2f s", text("orbits"),
                        text("kind"), number("layer"), 100 * number("fraction"),
                        short(number("entries")), number("seconds")))
        }
        event == "depth" {
            say(sprintf("%d done, %snodes, %.2f s, %snodes/s", number("depth"),
                        short(number("nodes")), number("seconds"),
                        short(number("nodes_per_second"))))
        }
        event == "progress" {
            say(sprintf("depth %d at %d %%, %snodes, %snodes/s", number("depth"),
                        100 * number("fraction"), short(number("nodes")),
                        short(number("nodes_per_second"))))
        }
        event == "solution" {
            say(sprintf("%s  (%d moves)", text("moves"), number("length")))
        }
        event == "done" { say("the search has " text("state")) }
        event == "draining" { say("the daemon goes down") }'
}

# Reads text/event-stream from standard input.
show_stream() {
    event=
    while IFS= read -r line; do
        case $line in
        'event: '*) event=${line#event: } ;;
        'data: '*) printf '%s\n' "${line#data: }" | show "$event" ;;
        esac
    done
}

# ---- the daemon ----------------------------------------------------------------------------

free_kib() {
    df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }'
}

# Tables belong into memory, if there is enough of it to be had as a file system.
make_folders() {
    folder=$(mktemp -d)
    if [ -w /dev/shm ] && [ "$(free_kib /dev/shm)" -ge "$WANTED_KIB" ]; then
        tables=$(mktemp -d /dev/shm/cyclosolve-demo.XXXXXX)
    else
        tables=$folder/tables
    fi
}

start_daemon() {
    bin/cyclosolved --listen 127.0.0.1:0 --address-file "$folder/address" \
        --state-dir "$folder/state" --table-dir "$tables" 2>"$folder/log" &
    daemon=$!
    waited=0
    while [ ! -s "$folder/address" ]; do
        kill -0 "$daemon" 2>/dev/null || fail "the daemon did not start"
        waited=$((waited + 1))
        [ "$waited" -le 300 ] || fail "the daemon was not ready within 30 s"
        sleep 0.1
    done
    address=$(cat "$folder/address")
}

# call METHOD PATH [BODY]: the reply's body; anything but 2xx fails.
call() {
    if [ $# -gt 2 ]; then
        curl -sS --fail-with-body -X "$1" "$address$2" -d "$3"
    else
        curl -sS --fail-with-body -X "$1" "$address$2"
    fi
}

expect() {
    [ "$2" = "$3" ] || fail "$1 is '$2', expected '$3'"
}

# ---- the story -----------------------------------------------------------------------------

build
make_folders
start_daemon
echo
echo "The daemon listens on $address. What runs now is the same as"
echo
request="{\"cycles\":\"$TARGET\",\"find\":\"all\",\"label\":\"hard 30x30x30\"}"
echo "  curl -s $address/v1/jobs -d '$request'"
echo "  curl -N $address/v1/jobs/{id}/events"
echo
job=$(call POST /v1/jobs "$request") || fail "the job was refused: $job"
id=$(printf '%s' "$job" | member id)
curl -sSN "$address/v1/jobs/$id/events" | show_stream

job=$(call GET "/v1/jobs/$id") || fail "the job is gone: $job"
result=$(printf '%s' "$job" | sed 's/.*"result"://')
best=$(printf '%s' "$result" | member best)
expect "the state of the job" "$(printf '%s' "$job" | member state)" succeeded
expect "the length" "$(printf '%s' "$result" | member length)" "$LENGTH"
expect "optimal" "$(printf '%s' "$result" | member optimal)" true
expect "the number of sequences" "$(printf '%s' "$result" | member sequences)" "$SEQUENCES"

analysis=$(call POST /v1/analyze "{\"alg\":\"$best\"}") || fail "analyze: $analysis"
expect "the cycle structure of the answer" "$(printf '%s' "$analysis" | member text)" "$TARGET"

seconds=$(printf '%s' "$job" | sed 's/.*"progress"://' | member elapsed_seconds)
echo
echo "Shortest: $LENGTH moves, proven, after $seconds s; $SEQUENCES sequences have that length."
echo "Easiest:  $best"
echo "Checked:  applied to a solved cube it gives $(printf '%s' "$analysis" | member text), of order" \
    "$(printf '%s' "$analysis" | member order)."

kill "$daemon"
wait "$daemon" || fail "the daemon did not stop in order"
daemon=
