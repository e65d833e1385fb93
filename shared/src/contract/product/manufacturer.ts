import { fieldTitles } from '../fields'

const checkDigitWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
const creditCodeAlphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'

/** Validates a 统一社会信用代码 with its check digit (GB 32100-2015). */
export function isCreditCode(code: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{18}$/.test(code)) return false
  const sum = checkDigitWeights.reduce(
    (total, weight, i) => total + weight * creditCodeAlphabet.indexOf(code[i]!),
    0,
  )
  return creditCodeAlphabet[(31 - (sum % 31)) % 31] === code[17]
}

export const manufacturerTitles = {
  name: '厂商名称',
  shortName: '简称',
  code: '厂商编码',
  areaName: '所在地区',
  contact: '联系人',
  phone: '联系电话',
  updateTime: fieldTitles.updateTime,
}
