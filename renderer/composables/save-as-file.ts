/** Hands a text to the browser as a download of this name. */
export function saveAsFile(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Hands a file to the browser as a download of this name. */
export function saveBlob(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** What a file is called after what is in it, without what file systems take for something else. */
export function fileNameOf(name: string, ending: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${plain || 'burrow'}.${ending}`;
}
