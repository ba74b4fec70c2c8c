#!/bin/sh
# relay.sh <spool> <Event> [hold <seconds>] [deny] [context] [give]
#
# The command of every hook that ckpt-run injects. It stands on the agent's hot path, so it is plain sh: no Node, two
# short forks (cat, mv). It never makes the agent fail: whatever is wrong with the spool, it exits 0 and is silent.
#
#   <spool>/<id>.json     what the agent gave on stdin; whole or absent (written as .<id>.tmp, then renamed);
#                         id = <pid>.<Event>, or <pid>.<Event>.<n> if that name is taken
#   context               print <spool>/context.md, if it is there, as the hook's answer
#   give                  print <spool>/hint, if it is there, and remove it: it is said once
#   hold <seconds>        wait for <spool>/<id>.answer: one line, the exit code. Its author first writes <id>.out and
#                         <id>.err, which go to stdout and stderr; the three files are then removed.
#   deny                  when nobody has answered in time, <spool>/deny is the answer; without it the agent goes on
code=0
# dash leaves with 2 when a builtin fails, and 2 would be a veto: only a code that was answered may get out.
trap 'exit "$code"' EXIT
umask 077
exec 3>&2 2>/dev/null

spool=$1
event=$2
hold=0
context=
give=
deny=
shift 2
while [ $# -gt 0 ]; do
  case $1 in
    hold) hold=$2 ;;
    context) context=$spool/context.md ;;
    give) give=$spool/hint ;;
    deny) deny=$spool/deny ;;
  esac
  shift
done

id=$$.$event
count=0
while [ -e "$spool/$id.json" ]; do
  count=$((count + 1))
  id=$$.$event.$count
done

# An agent that finds its pipe closed may call the hook broken: what cannot be stored is still read to the end.
if ! cat >"$spool/.$id.tmp" || ! mv -f "$spool/.$id.tmp" "$spool/$id.json"; then
  cat >/dev/null
  exit 0
fi

[ -n "$context" ] && [ -s "$context" ] && cat "$context"

# Of several hooks at once one gets it: the name is taken first.
[ -n "$give" ] && [ -e "$give" ] && mv -f "$give" "$spool/.$id.hint" && cat "$spool/.$id.hint" && rm -f "$spool/.$id.hint"

# Twenty looks a second. When the agent that waits for us is gone there is nobody to answer.
looks=$((hold * 20))
answer=$spool/$id.answer
while [ ! -e "$answer" ]; do
  if [ "$looks" -le 0 ] || ! kill -0 "$PPID"; then
    [ -n "$deny" ] && [ -s "$deny" ] && cat "$deny"
    exit 0
  fi
  looks=$((looks - 1))
  sleep 0.05 || { sleep 1; looks=$((looks - 19)); }
done

read -r answered <"$answer"
[ -s "$spool/$id.out" ] && cat "$spool/$id.out"
[ -s "$spool/$id.err" ] && cat "$spool/$id.err" >&3
rm -f "$spool/$id.out" "$spool/$id.err" "$answer"
case $answered in '' | *[!0-9]*) ;; *) code=$answered ;; esac
