// The files of folders that were dropped on the page.

/** A folder gives its entries in parts, until one is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return all;
    all.push(...some);
  }
}

/** Hidden files are no documents. */
export async function filesIn(entries: Array<FileSystemEntry | null>): Promise<File[]> {
  const files: File[] = [];
  for (const e of entries) {
    if (!e || e.name.startsWith('.')) continue;
    if (e.isDirectory) files.push(...await filesIn(await entriesOf(e as FileSystemDirectoryEntry)));
    else files.push(await new Promise<File>((done, fail) => (e as FileSystemFileEntry).file(done, fail)));
  }
  return files;
}
