/** Returns the storage key for unsaved cards of a view in this browser. */
export const getCardsDraftKey = (viewId: string, projectId: number) =>
  `viewCards/${viewId}/${projectId}`
