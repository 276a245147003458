/** A desktop entry as the XDG autostart specification has it. */
export function autostartEntry(command: readonly string[]): string {
  return `[Desktop Entry]
Type=Application
Name=Burrow
Comment=Product analytics on this computer
Exec=${command.map(quoted).join(' ')}
Icon=burrow-desktop
Terminal=false
X-GNOME-Autostart-enabled=true
`;
}

/** An argument of `Exec` (Desktop Entry Specification): quoted, with its special characters escaped, first for the quotes, then for the file. */
function quoted(argument: string): string {
  return `"${argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
}

/** What starts a program: in a package the launcher beside it, which says what helps when the sandbox is refused. */
export function launcherOf(program: string): string {
  return program.replace(/\.bin$/, '');
}
