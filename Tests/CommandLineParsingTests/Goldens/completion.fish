# Completion of sample for fish. Load it with: sample completions fish | source
function __sample_path
    set -l path sample
    for word in (commandline -opc)[2..-1]
        switch "$path $word"
            case 'sample send' 'sample check' 'sample check smtp' 'sample completions' 'sample help'
                set path "$path $word"
        end
    end
    echo $path
end
complete -c sample -e
complete -c sample -f
complete -c sample -n "test (__sample_path) = 'sample'" -a send -d 'Send a message'
complete -c sample -n "test (__sample_path) = 'sample'" -a check -d 'Check a server'
complete -c sample -n "test (__sample_path) = 'sample'" -a completions -d 'Print a script for a shell'
complete -c sample -n "test (__sample_path) = 'sample'" -a help -d 'Show the help of a command'
complete -c sample -n "test (__sample_path) = 'sample'" -l version -d 'Show the version'
complete -c sample -n "test (__sample_path) = 'sample'" -s h -l help -d 'Show the help'
complete -c sample -n "test (__sample_path) = 'sample send'" -l server -x -a '(__fish_print_hostnames)' -d 'Where to connect'
complete -c sample -n "test (__sample_path) = 'sample send'" -l tls -x -a 'implicit starttls plaintext' -d 'How the connection is protected'
complete -c sample -n "test (__sample_path) = 'sample send'" -s n -l count -x -d 'How many'
complete -c sample -n "test (__sample_path) = 'sample send'" -s s -l subject -x -d 'The subject: a \'text\''
complete -c sample -n "test (__sample_path) = 'sample send'" -s a -l attach -r -F -d 'A file to attach [any kind]'
complete -c sample -n "test (__sample_path) = 'sample send'" -s j -l json -d 'Print JSON'
complete -c sample -n "test (__sample_path) = 'sample send'" -s q -l quiet -d 'Print nothing'
complete -c sample -n "test (__sample_path) = 'sample send'" -l state-folder-of-the-program -x -a '(__fish_complete_directories)' -d 'Where things are kept: “état”'
complete -c sample -n "test (__sample_path) = 'sample send'" -l run -x -a '(__fish_complete_command)' -d 'What to run'
complete -c sample -n "test (__sample_path) = 'sample send'" -s h -l help -d 'Show the help'
complete -c sample -n "test (__sample_path) = 'sample send'" -F
complete -c sample -n "test (__sample_path) = 'sample check'" -a smtp -d 'Check an SMTP server'
complete -c sample -n "test (__sample_path) = 'sample check'" -s h -l help -d 'Show the help'
complete -c sample -n "test (__sample_path) = 'sample check smtp'" -l server -x -a '(__fish_print_hostnames)' -d 'Where to connect'
complete -c sample -n "test (__sample_path) = 'sample check smtp'" -s h -l help -d 'Show the help'
complete -c sample -n "test (__sample_path) = 'sample completions'" -s h -l help -d 'Show the help'
complete -c sample -n "test (__sample_path) = 'sample completions'" -a 'bash zsh fish'
complete -c sample -n "test (__sample_path) = 'sample help'" -a 'send check completions'
