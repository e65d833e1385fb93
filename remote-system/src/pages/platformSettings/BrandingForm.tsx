import Button from 'antd/es/button'
import ColorPicker from 'antd/es/color-picker'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { call } from '@iot/shared/client/call'
import { defaultThemeColour } from '@iot/shared/contract/colour'
import { pickInputFields } from '@iot/shared/contract/endpoint'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import {
  Branding,
  type PlatformSettings,
} from '@iot/shared/contract/platform/platformSettings.schema'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup } from '@iot/shared/ui/formDialog'
import { ImageField } from '@iot/shared/ui/imageField'
import { TextItem } from '@iot/shared/ui/items'

type BrandingFormProps = { settings: PlatformSettings; onSaved: () => void; onClose: () => void }

const pictureHints = {
  logo: '登录页和页头；移除后用产品自带的',
  headerLogo: '不传则同标志；高 26 像素',
  loginBg: '登录页的背景，宽图更好',
  favicon: '浏览器标签上的小图，正方形',
} as const

/** Edits name, pictures and colour of the platform. */
export default function BrandingForm({ settings, onSaved, onClose }: BrandingFormProps) {
  return (
    <FormDialog<Branding>
      title="品牌"
      wide
      schema={Branding}
      initial={{
        ...(pickInputFields(Branding, settings) as Branding),
        id: settings.id,
        version: settings.version,
      }}
      draft="platformBranding"
      to={platformSettingsApi.updateBranding}
      send={(draft, revision, options) =>
        call(
          platformSettingsApi.updateBranding,
          {
            ...(pickInputFields(Branding, draft) as Branding),
            id: settings.id,
            version: settings.version,
            ...revision,
          },
          options,
        )
      }
      words={{ ok: '保存', done: '品牌已保存，打开的页面随后更新' }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="文字">
        <TextItem of={Branding} name="name" autoFocus extra="登录页、页头和浏览器标签上的名称" />
        <TextItem of={Branding} name="slogon" extra="登录页名称下的一句话，可以不填" />
        <TextItem
          of={Branding}
          name="icp"
          placeholder="粤ICP备12345678号-1"
          extra="显示在登录页下方，链接到 beian.miit.gov.cn"
        />
        <Form.Item
          {...field(Branding, 'themeColor')}
          extra="白字须看得清（对比度至少 4.5:1）；深色外观里太暗的会自动调亮"
        >
          <ColourField />
        </Form.Item>
      </FormGroup>
      <FormGroup title="图片">
        {(Object.keys(pictureHints) as (keyof typeof pictureHints)[]).map((name) => (
          <Form.Item key={name} {...field(Branding, name)} extra={pictureHints[name]}>
            <ImageField purpose="platform" />
          </Form.Item>
        ))}
      </FormGroup>
    </FormDialog>
  )
}

type ColourFieldProps = { id?: string; value?: string; onChange?: (colour: string) => void }

/** A colour by picking or typing; empty is the colour of the product. */
const ColourField = ({ id, value = '', onChange }: ColourFieldProps) => (
  <Flex gap={8}>
    <ColorPicker
      disabledAlpha
      format="hex"
      value={/^#[0-9a-f]{6}$/i.test(value) ? value : defaultThemeColour}
      onChange={(colour) => onChange?.(colour.toHexString().toLowerCase())}
    />
    <Input
      id={id}
      value={value}
      placeholder={`${defaultThemeColour}（产品自带）`}
      onChange={({ target }) => onChange?.(target.value)}
    />
    {value && (
      <Button type="text" onClick={() => onChange?.('')}>
        移除
      </Button>
    )}
  </Flex>
)
