CREATE TABLE "brand" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"english_name" text NOT NULL,
	"manufacturer_id" uuid NOT NULL,
	"categories" text[] NOT NULL,
	"logo" text NOT NULL,
	"service_phone" text NOT NULL,
	"website" text NOT NULL,
	"sort" integer NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "brand_name" UNIQUE("manufacturer_id","name")
);
--> statement-breakpoint
ALTER TABLE "brand" ADD CONSTRAINT "brand_manufacturer_id_manufacturer_id_fk" FOREIGN KEY ("manufacturer_id") REFERENCES "public"."manufacturer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "brand_sort" ON "brand" USING btree ("sort","id");