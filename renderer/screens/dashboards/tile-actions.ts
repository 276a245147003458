/** The actions that a tile emits to its dashboard. */
export type TileAction =
  | 'full'
  | 'open'
  | 'hogql'
  | 'refresh'
  | 'csv'
  | 'png'
  | 'dates'
  | 'settings'
  | 'duplicate'
  | 'move'
  | 'copy'
  | 'remove';
