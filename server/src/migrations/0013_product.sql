CREATE TABLE "category_version" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"category_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"model" jsonb NOT NULL,
	"note" text NOT NULL,
	CONSTRAINT "category_version_number" UNIQUE("category_id","number")
);
--> statement-breakpoint
CREATE TABLE "product_category" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"parent_id" uuid,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"icon" text NOT NULL,
	"description" text NOT NULL,
	"sort" integer NOT NULL,
	"model" jsonb NOT NULL,
	"model_version" integer NOT NULL,
	CONSTRAINT "product_category_code_unique" UNIQUE("code"),
	CONSTRAINT "product_category_name" UNIQUE("parent_id","name")
);
--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "manufacturer_id" uuid;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "brand_id" uuid;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "model_no" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "category_id" uuid;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "category_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "net" text DEFAULT 'other' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "protocol" text DEFAULT 'mqtt' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "control_types" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "auth_type" text DEFAULT 'deviceSecret' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "data_format" text DEFAULT 'alink' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "rated_power" double precision;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "rated_life_hours" integer;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "icon" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "picture" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "status" text DEFAULT 'developing' NOT NULL;--> statement-breakpoint
ALTER TABLE "category_version" ADD CONSTRAINT "category_version_category_id_product_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."product_category"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_category_sort" ON "product_category" USING btree ("sort","id");--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_manufacturer_id_manufacturer_id_fk" FOREIGN KEY ("manufacturer_id") REFERENCES "public"."manufacturer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_brand_id_brand_id_fk" FOREIGN KEY ("brand_id") REFERENCES "public"."brand"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_category_id_product_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."product_category"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_category_id" ON "product" USING btree ("category_id");--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_model" UNIQUE("manufacturer_id","model_no");--> statement-breakpoint
-- Products of before have devices in the field: what these rely on stands still. A sub-device speaks what its gateway speaks.
UPDATE "product" SET "status" = 'published', "protocol" = CASE WHEN "node" = 'sub' THEN 'customize' ELSE 'mqtt' END;
