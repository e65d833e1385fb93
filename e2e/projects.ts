import { unique } from './lists'

/** A project as the server takes it. */
export const project = (change: object = {}) => ({
  ...{ name: unique('项目'), code: unique('p'), groupName: '测试片区', type: 'office' },
  ...{ areaCode: '440305', address: '', longitude: null, latitude: null, area: null },
  ...{ manager: '', phone: '', calendarId: null, sort: 99, ...change },
})
