# Completion of sample for bash. Load it with: source <(sample completions bash)
_sample() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local path=sample index
    # bash takes "--name=value" for three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((index = 1; index < COMP_CWORD; index++)); do
        case "$path ${COMP_WORDS[index]}" in
            'sample send' | \
            'sample check' | \
            'sample check smtp' | \
            'sample completions' | \
            'sample help') path="$path ${COMP_WORDS[index]}" ;;
        esac
    done
    local IFS=$'\n'
    case "$path $previous" in
        'sample send --server')
            COMPREPLY=($(compgen -A hostname -- "$current")); return ;;
        'sample send --tls')
            COMPREPLY=($(compgen -W $'implicit\nstarttls\nplaintext' -- "$current")); return ;;
        'sample send --count' | 'sample send -n')
            return ;;
        'sample send --subject' | 'sample send -s')
            return ;;
        'sample send --attach' | 'sample send -a')
            compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return ;;
        'sample send --state-folder-of-the-program')
            compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")); return ;;
        'sample send --run')
            COMPREPLY=($(compgen -c -- "$current")); return ;;
        'sample check smtp --server')
            COMPREPLY=($(compgen -A hostname -- "$current")); return ;;
    esac
    case "$path" in
        'sample')
            COMPREPLY=($(compgen -W $'send\ncheck\ncompletions\nhelp\n--help\n--version' -- "$current"))
            ;;
        'sample send')
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W $'--server\n--tls\n--count\n--subject\n--attach\n--json\n--quiet\n--state-folder-of-the-program\n--run\n--help' -- "$current"))
            else
                compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))
            fi ;;
        'sample check')
            COMPREPLY=($(compgen -W $'smtp\n--help' -- "$current"))
            ;;
        'sample check smtp')
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W $'--server\n--help' -- "$current"))
            else
                :
            fi ;;
        'sample completions')
            if [[ $current == -* ]]; then
                COMPREPLY=($(compgen -W $'--help' -- "$current"))
            else
                COMPREPLY=($(compgen -W $'bash\nzsh\nfish' -- "$current"))
            fi ;;
        'sample help')
            COMPREPLY=($(compgen -W $'send\ncheck\ncompletions' -- "$current"))
            ;;
    esac
}
complete -F _sample sample
