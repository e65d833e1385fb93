import { paths } from '@iot/shared/screens/paths'

/** The pages of scenes are below this address. */
export const scenesAddress = `${paths.home()}/scene`

export const getSceneAddress = (projectId: number, scene: 'new' | { id: string }) =>
  scene === 'new' ? `${scenesAddress}/new?project=${projectId}` : `${scenesAddress}/${scene.id}`

/** Returns the storage key for the draft of a scene. It includes the project, because the devices exist only there. */
export const getSceneDraftKey = (projectId: number) => `scene-${projectId}`
