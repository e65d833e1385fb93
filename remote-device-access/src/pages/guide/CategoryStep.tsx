import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { productCategoryApi, standardCategoryApi } from '@iot/shared/contract/product/category.api'
import { paths } from '@iot/shared/screens/paths'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { Can } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { GuideStep } from './GuideStep'
import type { Guide } from './useGuide'

/** Chooses a published category, or copies one of the standard library, which publishes its functions. */
export function CategoryStep({ guide }: { guide: Guide }) {
  const category = guide.categories.data?.find(({ id }) => id === guide.categoryId)
  const isWaiting = !guide.project
  return (
    <GuideStep
      number={2}
      title="品类"
      isDone={!!category || !!guide.product}
      summary={
        category ? (
          <Link to={`${paths.deviceAccess.productCategory()}/${category.id}`}>{category.name}</Link>
        ) : guide.product ? (
          '不属于任何品类'
        ) : (
          '品类带来标准功能，如电源开关、亮度'
        )
      }
    >
      {!category && !guide.product && !isWaiting && <CategoryChoice guide={guide} />}
    </GuideStep>
  )
}

function CategoryChoice({ guide: { categories, chooseCategory } }: { guide: Guide }) {
  const { data: library } = usePickerOptions(standardCategoryApi.list)
  const [code, setCode] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const ownCodes = new Set(categories.data?.map((category) => category.code))
  const publishedCategories = (categories.data ?? []).filter(({ modelVersion }) => modelVersion > 0)
  const newCategories = (library ?? []).filter((category) => !ownCodes.has(category.code))
  const isFromLibrary = newCategories.some((category) => category.code === code)

  async function adopt(chosenCode: string) {
    if (isFromLibrary)
      await call(productCategoryApi.copyStandard, { parentId: null, codes: [chosenCode] })
    const rows = isFromLibrary ? await categories.refreshAsync() : categories.data
    const category = rows?.find((row) => row.code === chosenCode)
    if (category) chooseCategory(category.id)
  }
  const toOption = (category: { code: string; name: string }) => ({
    value: category.code,
    label: category.name,
  })
  return (
    <Flex gap={8} wrap align="center">
      <Select
        aria-label="品类"
        placeholder="选择品类，如 灯"
        style={{ width: 240 }}
        showSearch={{ optionFilterProp: 'label' }}
        value={code}
        onChange={setCode}
        options={[
          ...(publishedCategories.length > 0
            ? [{ label: '已有品类', options: publishedCategories.map(toOption) }]
            : []),
          { label: '标准品类库', options: newCategories.map(toOption) },
        ]}
      />
      <Can to={isFromLibrary ? productCategoryApi.copyStandard : productCategoryApi.list}>
        <Button
          type="primary"
          disabled={!code}
          loading={isSaving}
          onClick={() => {
            setSaving(true)
            void adopt(code!)
              .catch(ignoreHandled)
              .finally(() => setSaving(false))
          }}
        >
          选用
        </Button>
      </Can>
      <Link to={paths.deviceAccess.productCategory()}>自建品类</Link>
    </Flex>
  )
}
