import { redirect, type RouteObject } from 'react-router-dom'
import { deviceAccess } from '@iot/shared/screens/deviceAccess'
import { guideSegment, paths } from '@iot/shared/screens/paths'
import { detail, screen, subPage, type RemoteRoute } from '@iot/shared/screens/route'

export const area: object = deviceAccess
export const routes: RouteObject[] = [
  { index: true, loader: () => redirect(paths.deviceAccess.productCategory()) },
  { path: 'config', loader: () => redirect(paths.deviceAccess.config.manufacturer()) },
  screen(deviceAccess.productCategory, () => import('./pages/productCategory/ProductCategoryPage')),
  detail(
    deviceAccess.productCategory,
    '品类详情',
    () => import('./pages/productCategory/CategoryDetailPage'),
  ),
  screen(deviceAccess.device, () => import('./pages/device/DevicePage')),
  detail(deviceAccess.device, '设备详情', () => import('./pages/device/DeviceDetailPage')),
  screen(deviceAccess.edgeHost, () => import('./pages/edgeHost/EdgeHostPage')),
  detail(
    deviceAccess.edgeHost,
    '边缘主机详情',
    () => import('./pages/edgeHost/EdgeHostDetailPage'),
  ),
  screen(deviceAccess.config.product, () => import('./pages/product/ProductPage')),
  subPage(
    deviceAccess.config.product,
    guideSegment,
    '接入向导',
    () => import('./pages/guide/GuidePage'),
  ),
  detail(
    deviceAccess.config.product,
    '产品详情',
    () => import('./pages/product/ProductDetailPage'),
  ),
  screen(deviceAccess.config.manufacturer, () => import('./pages/manufacturer/ManufacturerPage')),
  screen(deviceAccess.config.brand, () => import('./pages/brand/BrandPage')),
  screen(deviceAccess.config.productType, () => import('./pages/productType/ProductTypePage')),
  screen(deviceAccess.config.controlType, () => import('./pages/controlType/ControlTypePage')),
  screen(
    deviceAccess.config.communicationProtocol,
    () => import('./pages/communicationProtocol/ProtocolPage'),
  ),
  screen(deviceAccess.config.iconLibrary, () => import('./pages/icon/IconPage')),
  screen(
    deviceAccess.config.selfRegistration,
    () => import('./pages/selfRegistration/SelfRegistrationPage'),
  ),
  screen(deviceAccess.config.viewManager, () => import('./pages/view/ViewPage')),
] satisfies RemoteRoute[]
