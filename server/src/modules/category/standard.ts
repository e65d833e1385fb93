import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import { lightingCategories, shadingCategories } from './standardCategories/lighting'
import { climateCategories } from './standardCategories/climate'
import { sensorCategories } from './standardCategories/sensors'
import { energyCategories } from './standardCategories/energy'
import { accessCategories, fireCategories } from './standardCategories/security'
import {
  waterCategories,
  transportCategories,
  edgeCategories,
} from './standardCategories/buildingServices'

/** Codes of the parents under which the categories of a group are copied. */
export const groupCodes: Record<string, string> = {
  照明: 'lighting',
  暖通空调: 'climate',
  传感器: 'sensor',
  能源: 'energy',
  门禁安防: 'access',
  遮阳: 'shading',
  给排水: 'water',
  电梯与车场: 'transport',
  消防: 'fire',
  网关与控制: 'edge',
}

/**
 * Read-only library of categories from which products start. The identifiers follow Alibaba's public standard thing
 * models.
 */
export const standardCategories: StandardCategory[] = [
  ...lightingCategories,
  ...climateCategories,
  ...sensorCategories,
  ...energyCategories,
  ...accessCategories,
  ...shadingCategories,
  ...waterCategories,
  ...transportCategories,
  ...fireCategories,
  ...edgeCategories,
]

/** Returns the model with which a product of the category starts. */
export const standardModel = (code: string) =>
  standardCategories.find((category) => category.code === code)!.model
