// Files that are dropped anywhere on the page are added.
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocale } from '../i18n/index.ts';
import { openDialog, showDialog } from '../shell/open_dialog.ts';
import { addFilesToCourse } from './pick_files.ts';

/** Folders are walked through; that is loaded when one is dropped. */
async function filesOf(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  if (!entries.some((e) => e?.isDirectory)) return files;
  return (await import('./dropped_folder.ts')).filesIn(entries);
}

const hasFiles = (e: DragEvent) => e.dataTransfer?.types.includes('Files') ?? false;

/** To the course whose documents are open, else to the usual one. */
function addDropped(files: File[]) {
  const dialog = openDialog.get();
  showDialog(null); // what is being added is shown beside the question box
  if (dialog?.what === 'course') addFilesToCourse(files, dialog.courseId);
  else addFilesToCourse(files);
}

export function DropFiles() {
  const { t } = useLocale();
  const [over, setOver] = useState(false);
  const enter = useEffectEvent((e: DragEvent) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    setOver(true);
  });
  const leave = useEffectEvent((e: DragEvent) => {
    if (!e.relatedTarget) setOver(false); // it has left the window
  });
  const drop = useEffectEvent((e: DragEvent) => {
    if (!hasFiles(e)) return;
    e.preventDefault();
    setOver(false);
    void filesOf(e.dataTransfer!).then(addDropped);
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener('dragover', (e) => enter(e), { signal });
    addEventListener('dragleave', (e) => leave(e), { signal });
    addEventListener('drop', (e) => drop(e), { signal });
    return () => controller.abort();
  }, []);
  return over && <div className="drop-here" aria-hidden="true"><span>{t('dropHere')}</span></div>;
}
