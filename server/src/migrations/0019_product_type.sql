CREATE TABLE "product_type" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"categories" text[] NOT NULL,
	"icon" text NOT NULL,
	"color" text NOT NULL,
	"actions" jsonb NOT NULL,
	"show_on_home" boolean NOT NULL,
	"description" text NOT NULL,
	"sort" integer NOT NULL,
	"status" text NOT NULL,
	"builtin" boolean NOT NULL,
	CONSTRAINT "product_type_name_unique" UNIQUE("name"),
	CONSTRAINT "product_type_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE INDEX "product_type_sort" ON "product_type" USING btree ("sort","id");