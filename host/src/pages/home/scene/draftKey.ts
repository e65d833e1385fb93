/** Returns the storage key for the draft of a scene. It includes the project, because the devices exist only there. */
export const getSceneDraftKey = (projectId: number) => `scene-${projectId}`
