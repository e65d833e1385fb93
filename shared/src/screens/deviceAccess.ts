import { remoteTitleText } from '../contract/release/remoteTitle'
import { brandApi } from '../contract/product/brand.api'
import { productCategoryApi } from '../contract/product/category.api'
import { communicationProtocolApi } from '../contract/product/communicationProtocol.api'
import { controlTypeApi } from '../contract/product/controlType.api'
import { deviceGroupApi } from '../contract/device/deviceGroup.api'
import { edgeHostApi } from '../contract/device/edgeHost.api'
import { iconApi } from '../contract/product/icon.api'
import { managedDeviceApi } from '../contract/device/managedDevice.api'
import { manufacturerApi } from '../contract/product/manufacturer.api'
import { productTypeApi } from '../contract/product/productType.api'
import { productApi } from '../contract/product/product.api'
import { registrationRecordApi, registrationRuleApi } from '../contract/device/registration.api'
import { viewApi } from '../contract/project/view.api'
import { area } from './area'

const siteRoles = { 'project-admin': 'all', operator: 'read' } as const

export const deviceAccess = area('deviceAccess', {
  title: remoteTitleText.deviceAccess,
  icon: 'ApiOutlined',
  screens: {
    productCategory: {
      title: '产品品类',
      icon: 'PartitionOutlined',
      api: productCategoryApi,
      roles: siteRoles,
    },
    device: {
      title: '设备管理',
      icon: 'BulbOutlined',
      api: [managedDeviceApi, deviceGroupApi],
      within: 'project',
      roles: siteRoles,
    },
    edgeHost: {
      title: '边缘主机',
      icon: 'ClusterOutlined',
      api: edgeHostApi,
      within: 'project',
      roles: siteRoles,
    },
    config: {
      title: '配置',
      icon: 'SettingOutlined',
      screens: {
        product: { title: '产品管理', icon: 'DatabaseOutlined', api: productApi, roles: siteRoles },
        manufacturer: {
          title: '厂商管理',
          icon: 'ShopOutlined',
          api: manufacturerApi,
          roles: siteRoles,
        },
        brand: { title: '品牌管理', icon: 'TagsOutlined', api: brandApi, roles: siteRoles },
        productType: {
          title: '产品类型',
          icon: 'AppstoreOutlined',
          api: productTypeApi,
          roles: siteRoles,
        },
        controlType: {
          title: '控制类型',
          icon: 'ThunderboltOutlined',
          api: controlTypeApi,
          roles: siteRoles,
        },
        communicationProtocol: {
          title: '通信协议',
          icon: 'GlobalOutlined',
          api: communicationProtocolApi,
          roles: siteRoles,
        },
        iconLibrary: { title: '图标库', icon: 'PictureOutlined', api: iconApi, roles: siteRoles },
        selfRegistration: {
          title: '设备自注册',
          icon: 'SafetyCertificateOutlined',
          api: [registrationRuleApi, registrationRecordApi],
          roles: siteRoles,
        },
        viewManager: { title: '视图管理', icon: 'EyeOutlined', api: viewApi, roles: siteRoles },
      },
    },
  },
})
