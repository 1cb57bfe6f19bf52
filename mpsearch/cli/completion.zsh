
#compdef %(prog_name)s

%(complete_func)s() {
  local line value
  local -a waiting whole
  for line in "${(@f)$(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" \
      _TYPER_COMPLETE_FISH_ACTION=get-args %(autocomplete_var)s=complete_fish %(prog_name)s)}"; do
    value="${line%%%%$'\t'*}"
    if [[ -z $value ]]; then
      continue
    elif [[ $value == *= ]]; then
      waiting+=("$value")
    else
      whole+=("${value//:/\\:}${${line#$value}/$'\t'/:}")
    fi
  done
  (( $#waiting )) && compadd -S '' -a waiting
  (( $#whole )) && _describe 'completion' whole
  (( $#waiting + $#whole )) || _files
}

compdef %(complete_func)s %(prog_name)s
