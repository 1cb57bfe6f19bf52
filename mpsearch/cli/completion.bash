
%(complete_func)s() {
    local IFS=$'\n' typed="${COMP_LINE:0:COMP_POINT}"
    COMPREPLY=( $( env COMP_WORDS="${COMP_WORDS[*]}" \
                   COMP_CWORD=$COMP_CWORD \
                   %(autocomplete_var)s=complete_bash $1 ) )
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace
    typed="${typed##*[[:space:]]}"
    [[ ${typed#--*=} == *[:=]* ]] && compopt +o default
    return 0
}

complete -o default -F %(complete_func)s %(prog_name)s
