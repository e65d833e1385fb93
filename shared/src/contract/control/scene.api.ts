import { type Permission, defineApi } from '../endpoint'
import { devicePermissions } from '../device/devicePermissions'
import type { sceneSchemas } from './scene.schema'

const permission: Permission = devicePermissions.editScene.permission as Permission

export const sceneApi = defineApi<typeof sceneSchemas>({
  page: {
    method: 'POST',
    path: '/v1/scene/page',
    title: '场景列表',
    permission: 'session',
  },
  get: {
    method: 'GET',
    path: '/v1/scene/{id}',
    title: '查看场景',
    permission: 'session',
  },
  create: {
    method: 'POST',
    path: '/v1/scene',
    title: '新建场景',
    permission,
  },
  update: {
    method: 'PUT',
    path: '/v1/scene/{id}',
    title: '修改场景',
    permission,
  },
  setStatus: {
    method: 'POST',
    path: '/v1/scene/status',
    title: '启用或禁用场景',
    permission,
  },
  remove: {
    method: 'DELETE',
    path: '/v1/scene/{id}',
    title: '删除场景',
    permission,
  },
  /** Returns the device types of the project and their properties. */
  types: {
    method: 'GET',
    path: '/v1/scene/types',
    title: '场景可用的设备类型',
    permission: 'session',
  },
  /** Returns devices by id, or the first fifty whose name contains a text. */
  devices: {
    method: 'POST',
    path: '/v1/scene/devices',
    title: '场景可用的设备',
    reads: true,
    permission: 'session',
  },
  /** Returns the current values of devices as actions; unknown values are omitted with a reason. */
  capture: {
    method: 'POST',
    path: '/v1/scene/capture',
    title: '取当前值',
    reads: true,
    permission,
  },
  /** Returns what the actions of a scene, saved or not, would do to the devices as they are now. */
  preflight: {
    method: 'POST',
    path: '/v1/scene/preflight',
    title: '场景预检',
    reads: true,
    permission: 'session',
  },
  /** Returns the due times of the next sixty days, with reasons for those that do not run. */
  preview: {
    method: 'POST',
    path: '/v1/scene/preview',
    title: '预览场景',
    reads: true,
    permission: 'session',
  },
  runs: {
    method: 'GET',
    path: '/v1/scene/{id}/runs',
    title: '场景执行记录',
    permission: 'session',
  },
  /** Returns the scenes that a calendar affects in the next sixty days. */
  effects: {
    method: 'GET',
    path: '/v1/scene/calendar/{id}',
    title: '受日历影响的场景',
    permission: 'enterprise:calendar:list',
  },
})
