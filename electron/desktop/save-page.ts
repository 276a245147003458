import { app, dialog, type BrowserWindow } from 'electron';
import { writeFile } from 'node:fs/promises';
import { fileNameOf, offerFolder, savePath } from './saved-files.ts';

/** Everywhere else paper is A4. */
const LETTER_COUNTRIES = ['US', 'CA', 'MX', 'PH', 'CL', 'CO'];

/** Opens the system's print dialog for the page of a window. */
export async function printPage(window: BrowserWindow): Promise<void> {
  const reason = await onWhite(
    window,
    () =>
      new Promise<string>((resolve) => {
        window.webContents.print({ printBackground: true }, (_isDone, failure) => resolve(failure));
      }),
  );
  // Cancelling is an answer, not a failure.
  if (reason && !/cancel/i.test(reason)) report(window, 'The page was not printed', reason);
}

/** Saves the page of a window as a PDF file, laid out as it is printed, where the user says. */
export async function savePageAsPdf(window: BrowserWindow): Promise<void> {
  const name = fileNameOf(window.webContents.getTitle().split(' · ')[0] ?? '', 'pdf');
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: 'Save as PDF',
    defaultPath: savePath(name),
    filters: [{ name: 'PDF document', extensions: ['pdf'] }],
  });
  if (canceled || !filePath || window.isDestroyed()) return;
  try {
    const pdf = await onWhite(window, () =>
      window.webContents.printToPDF({
        printBackground: true,
        preferCSSPageSize: true,
        pageSize: LETTER_COUNTRIES.includes(app.getLocaleCountryCode()) ? 'Letter' : 'A4',
      }),
    );
    await writeFile(filePath, pdf);
    offerFolder(window, filePath);
  } catch (error) {
    report(window, 'The PDF was not saved', (error as Error).message);
  }
}

/** What a window is painted with until its first frame would fill the margins of the paper. */
async function onWhite<Result>(window: BrowserWindow, task: () => Promise<Result>): Promise<Result> {
  const before = window.getBackgroundColor();
  window.setBackgroundColor('#ffffff');
  try {
    return await task();
  } finally {
    if (!window.isDestroyed()) window.setBackgroundColor(before);
  }
}

function report(window: BrowserWindow, message: string, detail: string): void {
  if (!window.isDestroyed())
    void dialog.showMessageBox(window, { type: 'error', title: app.getName(), message, detail });
}
