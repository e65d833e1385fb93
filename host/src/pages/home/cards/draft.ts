/** Under which name cards that are not saved are kept in this browser. */
export const draftOf = (viewId: string, projectId: number) => `viewCards/${viewId}/${projectId}`
