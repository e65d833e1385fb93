/** What is typed of a scene is kept for its project: elsewhere its devices mean nothing. */
export const draftOf = (projectId: number) => `scene-${projectId}`
