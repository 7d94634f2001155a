// How large a page is shown.  1 fits the width of its frame.

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

/** The next larger or smaller size, or the same at the end of them. */
export function zoomBy(zoom: number, by: 1 | -1): number {
  const next = by > 0 ? ZOOMS.find((z) => z > zoom) : ZOOMS.findLast((z) => z < zoom);
  return next ?? zoom;
}
/** Any size between the smallest and the largest. */
export const zoomWithin = (zoom: number) => Math.min(ZOOMS.at(-1)!, Math.max(ZOOMS[0]!, zoom));
export const canZoom = (zoom: number, by: 1 | -1) => zoomBy(zoom, by) !== zoom;

/** What the server's pictures have: dots of an inch of the page, at scale 1. */
const PICTURE_DPI = 110;
/** A picture may be drawn that much larger than it is. */
const STRETCH_MAX = 1.15;
export type PictureScale = 1 | 2;

/** Which picture is sharp at a width in dots of the screen; the page's is in
 *  points. */
export const pictureScale = (dots: number, pageWidth: number): PictureScale =>
  (pageWidth > 0 && dots > (pageWidth / 72) * PICTURE_DPI * STRETCH_MAX ? 2 : 1);
