/** Completion scripts by shell. Each asks the program itself, so that they never grow old. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_talosctl() {
  local IFS=$'\\n'
  COMPREPLY=($(talosctl __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _talosctl talosctl
`,
  zsh: `#compdef talosctl
_talosctl() {
  local -a candidates
  local value description
  while IFS=$'\\t' read -r value description; do
    candidates+=("\${value//:/\\\\:}:$description")
  done < <(talosctl __complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe talosctl candidates
  else
    _files
  fi
}
compdef _talosctl talosctl
`,
  fish: `complete -c talosctl -a '(talosctl __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};
