#!/bin/sh
# Two customers knock at the server: no ticket is given twice.
given=$(printf 'knock\nknock\n' | "$1")
twice=$(echo "$given" | sort | uniq -d)
[ -z "$twice" ] && exit 0
echo "ticket $twice was given twice"
exit 1
