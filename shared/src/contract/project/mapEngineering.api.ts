import { resource } from '../resource'
import { defineApi } from '../endpoint'
import type { mapEngineeringSchemas } from './mapEngineering.schema'

const maps = resource('system', 'mapEngineering', '地图工程版本', 'platform')

export const mapEngineeringApi = defineApi<typeof mapEngineeringSchemas>({
  page: maps.page(),
  /** Creates a draft from the current grouping or from another version. */
  create: maps.create(),
  update: maps.update(),
  remove: maps.remove(),
  /** Applies the grouping of the draft; the version published before is archived. */
  publish: {
    method: 'POST',
    path: '/v1/map-engineering/{id}/publish',
    title: '发布地图工程',
    permission: 'system:mapEngineering:publish',
    owner: 'platform',
    changesRights: true,
  },
})
