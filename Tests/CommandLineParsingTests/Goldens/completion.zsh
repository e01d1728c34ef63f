#compdef sample
# Completion of sample for zsh. Save it as _sample in a folder of $fpath, or load it
# with: source <(sample completions zsh)
_sample_completions() {
    _arguments -s \
        '(- *)'{-h,--help}'[Show this help]' \
        '1:SHELL:(bash zsh fish)'
}
_sample_check_smtp() {
    _arguments -s \
        '--server=[Where to connect]:HOST\:PORT:_hosts' \
        '(- *)'{-h,--help}'[Show this help]'
}
_sample_check() {
    local line state
    local -a commands
    _arguments -C \
        '(- *)'{-h,--help}'[Show the help of any command]' \
        '1: :->command' '*:: :->rest'
    case $state in
        command)
            commands=(
                'smtp:Check an SMTP server'
            )
            _describe command commands ;;
        rest)
            case $line[1] in
                smtp) _sample_check_smtp ;;
            esac ;;
    esac
}
_sample_send() {
    _arguments -s \
        '--server=[Where to connect]:HOST\:PORT:_hosts' \
        '--tls=[How the connection is protected]:MODE:(implicit starttls plaintext)' \
        '(-n --count)'{-n+,--count=}'[How many]:N: ' \
        '(-s --subject)'{-s+,--subject=}'[The subject\: a '\''text'\'']:TEXT: ' \
        '*'{-a+,--attach=}'[A file to attach \[any kind\]]:FILE:_files' \
        '(-j --json)'{-j,--json}'[Print JSON]' \
        '(-q --quiet)'{-q,--quiet}'[Print nothing]' \
        '--state-folder-of-the-program=[Where things are kept\: “état”]:FOLDER:_files -/' \
        '--run=[What to run]:COMMAND:_command_names -e' \
        '(- *)'{-h,--help}'[Show this help]' \
        '1:BODY:_files'
}
_sample() {
    local line state
    local -a commands
    _arguments -C \
        '(- *)--version[Show the version]' \
        '(- *)'{-h,--help}'[Show the help of any command]' \
        '1: :->command' '*:: :->rest'
    case $state in
        command)
            commands=(
                'send:Send a message'
                'check:Check a server'
                'completions:Print a script for a shell'
                'help:Show the help of a command'
            )
            _describe command commands ;;
        rest)
            case $line[1] in
                send) _sample_send ;;
                check) _sample_check ;;
                completions) _sample_completions ;;
                help) _arguments '1:command:(send check completions)' ;;
            esac ;;
    esac
}
if [[ $funcstack[1] == _sample ]]; then
    _sample "$@"
else
    compdef _sample sample
fi
