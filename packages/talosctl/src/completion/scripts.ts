/** Shells that the program can teach its commands. */
export type Shell = "bash" | "fish" | "powershell" | "zsh";

/**
 * Returns the completion script of a shell. It asks the program itself, so that it never grows old.
 *
 * @param options.descriptions offer each word with what it is for
 */
export function completionScript(shell: Shell, options: { readonly descriptions: boolean }): string {
  return scripts[shell](`talosctl __complete${options.descriptions ? "" : " --no-descriptions"}`);
}

/** Scripts by shell, given the command that answers them. */
const scripts: Readonly<Record<Shell, (ask: string) => string>> = {
  // A list shows descriptions behind the words; a single word and menu completion (37, 42) are inserted as they are.
  bash: (ask) => `_talosctl() {
  local line value text pad width=0 i
  local -a lines=()
  while IFS='' read -r line; do lines+=("$line"); done < <(${ask} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=("\${lines[@]%%$'\\t'*}")
  if ((\${#lines[@]} < 2)) || [[ \${COMP_TYPE:-9} == 37 || \${COMP_TYPE:-9} == 42 ]]; then return 0; fi
  for value in "\${COMPREPLY[@]}"; do
    if ((\${#value} > width)); then width=\${#value}; fi
  done
  printf -v pad '%*s' "$width" ''
  for i in "\${!lines[@]}"; do
    [[ \${lines[i]} == *$'\\t'* ]] || continue
    value=\${COMPREPLY[i]} text="(\${lines[i]#*$'\\t'})"
    line="$value\${pad:\${#value}}  $text"
    COMPREPLY[i]=\${line:0:\${COLUMNS:-80}-1}
  done
}
complete -o default -F _talosctl talosctl
`,
  zsh: (ask) => `#compdef talosctl
_talosctl() {
  local -a candidates
  local value description
  while IFS=$'\\t' read -r value description; do
    candidates+=("\${value//:/\\\\:}:$description")
  done < <(${ask} -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe talosctl candidates
  else
    _files
  fi
}
compdef _talosctl talosctl
`,
  fish: (ask) => `complete -c talosctl -a '(${ask} -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
  // The unfinished word is joined to a flag: older versions drop empty arguments of programs.
  powershell: (ask) => `Register-ArgumentCompleter -Native -CommandName talosctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$($_.Extent.Text)" })
  ${ask} "--partial=$wordToComplete" -- @words 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}
`,
};
