# What zsh would be asked to offer: complete.zsh COMPLETION WORD...; prints the specifications of _arguments.
_arguments() { print -rl -- "$@" }
completion=$1; shift
words=("$@")
CURRENT=$#
source $completion
