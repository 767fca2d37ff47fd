# What bash offers: complete.bash COMPLETION WORD...; the last word is the one that is completed.
source "$1"; shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_isosan
echo "${COMPREPLY[@]}"
