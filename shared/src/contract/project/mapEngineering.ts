import { fieldTitles } from '../fields'

export const mapStatusText = { draft: '草稿', published: '已发布', archived: '已归档' }

export const mapEngineeringTitles = {
  name: '版本号',
  status: fieldTitles.status,
  description: fieldTitles.description,
  groups: '分组',
  projectCount: '项目数',
  publishTime: '发布时间',
  publishBy: '发布人',
  engineeringId: '工程号',
  updateTime: fieldTitles.updateTime,
}
