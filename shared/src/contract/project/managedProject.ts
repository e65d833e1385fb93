import { fieldTitles } from '../fields'

export const projectTitles = {
  name: '项目名称',
  code: '项目编码',
  groupName: '分组',
  type: '项目类型',
  areaName: '所在地区',
  status: fieldTitles.status,
  manager: '负责人',
  phone: '联系电话',
  spaceCount: '空间数',
  deviceCount: '设备数',
  projectId: '项目号',
  updateTime: fieldTitles.updateTime,
}
