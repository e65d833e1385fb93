import { fieldTitles } from '../fields'

export const brandTitles = {
  name: '品牌名称',
  englishName: '英文名',
  manufacturerName: '厂商',
  servicePhone: '服务电话',
  updateTime: fieldTitles.updateTime,
}
