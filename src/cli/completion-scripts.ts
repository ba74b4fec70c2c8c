// What a shell loads once. The scripts know no words themselves: at every Tab they ask `ckpt __complete`, so that they
// need not be made anew with every version. The answer: a first line `:words`, `:files` or `:folders`, then one
// candidate a line, a tab, and what it means.

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const completionScript = (shell: Shell): string => ({bash, zsh, fish})[shell];

const bash = `# Completion of ckpt and ckpt-run for bash. Load it from ~/.bashrc:  source <(ckpt completion bash)
_ckpt_complete() {
  local current="\${COMP_WORDS[COMP_CWORD]}" kind= line
  COMPREPLY=()
  [[ $current == = ]] && current=
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line
    elif [[ \${line%%$'\\t'*} == "$current"* ]]; then COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(ckpt __complete "\${COMP_WORDS[0]##*/}" -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $kind in
    :files) compopt -o default 2>/dev/null ;;
    :folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    *) [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null ;;
  esac
  return 0
}
complete -F _ckpt_complete ckpt ckpt-run
`;

const zsh = `#compdef ckpt ckpt-run
# Completion of ckpt and ckpt-run for zsh. Load it from ~/.zshrc, after compinit:  source <(ckpt completion zsh)
# or save it as _ckpt in a folder of $fpath.
_ckpt() {
  local -a lines candidates
  local kind line
  lines=("\${(@f)$(ckpt __complete "\${words[1]:t}" -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  kind=$lines[1]
  case $kind in
    :files) _files; return ;;
    :folders) _files -/; return ;;
  esac
  for line in "\${(@)lines[2,-1]}"; do
    [[ -n $line ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#candidates )) && _describe -t words word candidates
}
if [[ $funcstack[1] == _ckpt ]]; then _ckpt "$@"; else compdef _ckpt ckpt ckpt-run; fi
`;

const fish = `# Completion of ckpt and ckpt-run for fish. Save it:  ckpt completion fish > ~/.config/fish/completions/ckpt.fish
# and once more as ckpt-run.fish beside it.
function __ckpt_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '.*/' '' -- $before[1])
    set -l lines (ckpt __complete $program -- $before[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$current"
        case :folders
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $lines[2..-1]
    end
end
complete -c ckpt -f -a '(__ckpt_complete)'
complete -c ckpt-run -f -a '(__ckpt_complete)'
`;
