CREATE TABLE "manufacturer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"short_name" text NOT NULL,
	"code" text NOT NULL,
	"credit_code" text NOT NULL,
	"contact" text NOT NULL,
	"phone" text NOT NULL,
	"email" text NOT NULL,
	"area_code" text NOT NULL,
	"address" text NOT NULL,
	"website" text NOT NULL,
	"logo" text NOT NULL,
	"remark" text NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "manufacturer_name_unique" UNIQUE("name"),
	CONSTRAINT "manufacturer_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "project" (
	"id" integer PRIMARY KEY NOT NULL,
	"group_name" text NOT NULL,
	"name" text NOT NULL,
	"engineering_id" integer NOT NULL,
	"sort" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "manufacturer_area" ON "manufacturer" USING btree ("area_code");