import type { Input } from '@iot/shared/contract/endpoint'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { uuidv7 } from 'uuidv7'
import type { TestApp } from '../../testing'

type Draft = Input<typeof managedProjectApi.create>
export const createProjectDraft = (name: string, change: Partial<Draft> = {}): Draft => ({
  name,
  code: `p-${uuidv7()}`,
  groupName: '测试片区',
  type: 'office',
  areaCode: '440305',
  address: '',
  longitude: null,
  latitude: null,
  area: null,
  manager: '',
  phone: '',
  calendarId: null,
  sort: 1,
  ...change,
})

export const createTestProject = (app: TestApp, name: string) =>
  app.as('admin').call(managedProjectApi.create, createProjectDraft(`${name} ${uuidv7()}`))
